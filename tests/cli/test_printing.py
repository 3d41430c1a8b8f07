"""``kingme print``: what it writes, and what it refuses."""

from __future__ import annotations

import pytest

from kingme.prints.sheets import Asked, board, pieces

from .calling import kingme

__all__ = ["kingme"]


def test_a_board_and_its_pieces(kingme, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    done = kingme("print", "board", "--square", "2.25in", "--paper", "letter", "--mono")
    data = (tmp_path / "board.pdf").read_bytes()
    assert (done.code, done.out) == (0, f"board.pdf: {len(data)} bytes\n")
    assert data == board(Asked("letter", mono=True), square=57.15)
    assert kingme("print", "pieces", "--theme", "green", "-o", "own.pdf").code == 0
    assert (tmp_path / "own.pdf").read_bytes() == pieces(Asked(theme="green"))


def test_the_date_of_a_build(kingme, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1709164800")
    assert kingme("print", "board", "-o", str(tmp_path / "x.pdf"), "--square", "20").code == 0
    assert b"20240229" in (tmp_path / "x.pdf").read_bytes()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "today")
    assert "is no time in seconds" in kingme.refused("print", "board", "-o", "-")


def test_a_paper_that_is_not_there(kingme):
    said = kingme("print", "board", "--paper", "a3", "-o", "-")
    assert said.code == 2
    assert "Invalid value for '--paper': 'a3' is not one of 'a4', 'letter'." in said.err


@pytest.mark.parametrize("sheet", ["board", "pieces"])
def test_what_cannot_be(kingme, tmp_path, sheet):
    file = tmp_path / "there.pdf"
    file.write_text("mine")
    call = ("print", sheet, "-o", str(file))
    assert "is there already: --force overwrites it" in kingme.refused(*call)
    assert file.read_text() == "mine"
    assert kingme(*call, "--force").code == 0
    assert file.read_bytes().startswith(b"%PDF")
    call = ("print", sheet, "-o", str(tmp_path / "new.pdf"))
    assert kingme.refused(*call, "--square", "9mm").startswith("a square is from 10 to 80 mm")
    assert kingme.refused(*call, "--square", "wide").startswith("'wide' is no length")
    assert kingme.refused(*call, "--theme", "x").startswith("there is no board theme 'x'")
    assert kingme.refused(*call, "--variant", "x").startswith("there is no variant 'x'")
    assert kingme(*call, "--paper", "a3").code == 2
    assert not (tmp_path / "new.pdf").exists()


def test_sheets_to_read(kingme, tmp_path):
    for sheet in ("rules", "score"):
        file = tmp_path / f"{sheet}.pdf"
        assert kingme("print", sheet, "-o", str(file), "--paper", "letter", "--mono").code == 0
        assert file.read_bytes().startswith(b"%PDF")


def test_diagrams(kingme, tmp_path):
    file = tmp_path / "d.pdf"
    call = ("print", "diagram", "-o", str(file), "--force")
    assert kingme(*call, "--fen", "W:W22:B11,18", "--fen", "B:W22:B1", "--title", "Two").code == 0
    text = b'[Black "Ann"] 1. 11-15 23-19 2. 8-11 22-17 *'
    assert kingme(*call, "-", "--ply", "2", "--ply", "4", given=text).code == 0
    assert "no diagram after ply 5" in kingme.refused(*call, "-", "--ply", "5", given=text)
    assert "no game 2" in kingme.refused(*call, "-", "--game", "2", given=text)
    assert "name either a file" in kingme.refused(*call)
    assert "'40' is no square" in kingme.refused(*call, "--fen", "W:W40:B1")
