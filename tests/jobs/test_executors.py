"""Whoever does the tasks of a build: one contract for threads and for Ray."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys

import pytest

from kingme.engine.endgames import EndgameError, build
from kingme.engine.endgames.pack import pack_values
from kingme.engine.endgames.slices import pairs
from kingme.engine.endgames.work import Plan, Work
from kingme.jobs.endgames import lead
from kingme.jobs.local import LocalExecutor
from kingme.jobs.node import Errand, clear, run
from kingme.jobs.ports import Task

GIB = 1 << 30
HAVE_RAY = importlib.util.find_spec("ray") is not None
PLAN = Plan(3, ("values",), 3)


def refused(material, codes, between):
    raise EndgameError(f"{material} is not packed")


PACKERS = {"values": pack_values, "broken": refused}


def mortal(errand, held):
    """What a process does that is killed the first time it comes to a certain pair."""
    import ray

    if str(errand.task.pair[0]) == "2k v 1k":
        try:
            os.close(os.open(f"{errand.packers['mark']}", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
    return run(errand, lambda material: ray.get(held[material][0]))


def on_threads(work, folder, notes):
    return LocalExecutor(work.mapped, PACKERS, 2, GIB)


def on_ray(work, folder, notes):
    import ray

    from kingme.jobs.ray import RayExecutor

    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    packers = {**PACKERS, "mark": folder / "killed"}
    return RayExecutor(work.mapped, packers, 2, 2 * GIB, notes.append, mortal)


@pytest.mark.filterwarnings("default")  # those of Ray's own code
@pytest.mark.parametrize(
    ("make", "lost"),
    [
        pytest.param(on_threads, [], id="local"),
        pytest.param(
            on_ray,
            ["the worker of 2k v 1k was lost; the pair is begun again"],
            id="ray",
            marks=pytest.mark.skipif(not HAVE_RAY, reason="ray is not installed"),
        ),
    ],
)
def test_an_executor(make, lost, tmp_path):
    notes = []
    with Work(tmp_path / "work", PLAN) as work:
        hands = make(work, tmp_path, notes)
        try:
            shown = []
            lead(work, hands, lambda done, _: shown.append(done))
            assert notes == lost
            assert shown == sorted(shown)
            assert shown[-1] == work.positions == work.positions_done
            work.mapped.finish()
            assert work.mapped.block.tobytes() == build.build(3).tobytes()

            # What is solved is packed alone, from what is kept.
            pair = pairs(3)[-1]
            one, two = Task(pair, ("values",), True), Task(pairs(3)[-2], (), True)
            assert hands.takes(one)
            hands.start(one)
            assert hands.takes(two)
            hands.start(two)
            assert not hands.takes(Task(pairs(3)[-3]))
            found = {solved.task: solved for solved in (hands.next(), hands.next())}
            assert found[one].codes is None
            kept = [work.path_of(material, "values").read_bytes() for material in pair]
            assert list(found[one].packed["values"]) == kept
            assert found[two].packed == {}
            hands.release(one)
            hands.release(two)
            assert hands.takes(one)

            # What a task fails of is raised where its end is waited for.
            hands.start(Task(pair, ("broken",), True))
            with pytest.raises(EndgameError, match=r"^\S+ v \S+ is not packed$"):
                hands.next()
            hands.start(Task(pair, ("values",)))
        finally:
            hands.close()


def test_memory_lets_as_many_begin_as_it_holds(tmp_path):
    from kingme.engine.endgames import memory

    tasks = [Task(pair) for pair in pairs(4)[-3:]]
    bound = memory.BASE + memory.needed(tasks[0].pair) + memory.needed(tasks[1].pair)
    with Work(tmp_path, Plan(4)) as work:
        for room, both in ((bound, True), (bound - 1, False)):
            hands = LocalExecutor(work.mapped, {}, 2, room)
            try:
                hands.start(tasks[0])
                assert hands.takes(tasks[1]) is both
            finally:
                hands.close()


def test_another_machine_fetches_what_it_lacks(tmp_path, monkeypatch):
    from kingme.engine.endgames import files
    from kingme.engine.endgames.slices import needs

    monkeypatch.setattr(files, "folder", lambda: tmp_path)
    pair = pairs(3)[4]
    with Work(tmp_path / "work", PLAN) as work:
        hands = on_threads(work, tmp_path, [])
        try:
            lead(work, hands)
        finally:
            hands.close()
        fetched = []

        def fetch(material):
            fetched.append(material)
            return work.mapped.codes(material)

        wanted = tuple(needs(pair))
        errand = Errand("far", 3, Task(pair, ("values",)), PACKERS, GIB, wanted)
        for _ in range(2):
            found = run(errand, fetch)
            place = work.mapped.plan.places[pair[0]]
            kept = work.mapped.block.tobytes()[place:]
            assert found.codes is not None
            assert kept.startswith(found.codes.tobytes())
        assert fetched == list(wanted)
    assert (tmp_path / "node-far").is_dir()
    clear("far")
    assert not (tmp_path / "node-far").exists()


def test_without_ray_it_says_how_to_have_it(tmp_path, monkeypatch):
    from kingme.jobs.ray import RayExecutor

    monkeypatch.setitem(sys.modules, "ray", None)
    with Work(tmp_path, PLAN) as work, pytest.raises(EndgameError) as refused:
        RayExecutor(work.mapped, {}, 2, GIB)
    assert str(refused.value) == "ray is not installed: python -m pip install 'kingme[ray]'"
