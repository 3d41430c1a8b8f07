"""The exception tree: every error is a KingmeError and survives a trip between processes."""

import copy
import pickle

import pytest

from kingme import KingmeError, Position, errors

START = Position.start()
FORK = Position.from_fen("W:W27,32:B15,16,23,24")


def raised(call, *words):
    with pytest.raises(KingmeError) as caught:
        call(*words)
    return caught.value


REAL = [
    raised(FORK.parse, "27x11"),
    raised(FORK.parse, "32-28"),
    raised(START.parse, "zz"),
    raised(Position.from_fen, "W:W5:B5"),
    raised(Position, 0, 0, 0, "B"),
    errors.Refusal("too_late", "The game is too old to be called off."),
    errors.NotEnoughChips(7),
    errors.NameTaken("Ann"),
]


@pytest.mark.parametrize("error", REAL, ids=lambda error: type(error).__name__)
def test_errors_survive_copying_and_pickling_with_all_they_carry(error):
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


@pytest.mark.parametrize("name", errors.__all__)
def test_every_error_is_in_the_tree_and_needs_a_message_alone(name):
    kind = getattr(errors, name)
    assert issubclass(kind, KingmeError)
    if not issubclass(kind, errors.Refusal):
        assert str(pickle.loads(pickle.dumps(kind("why")))) == "why"


def test_refusals_have_a_code_for_programs_and_a_sentence_for_players():
    assert [(error.code, str(error)) for error in REAL[-3:]] == [
        ("too_late", "The game is too old to be called off."),
        ("not_enough_chips", "There are not enough chips for this stake."),
        ("name_taken", "The name Ann is taken."),
    ]
    assert REAL[-2].user == 7
