"""What a type checker must refuse, with the reason behind each line; checked, never run."""

import kingme
from kingme import Board, History, Move, Piece, Position, Side, perft, svg

position = Position.start()
board = Board()

kingme_svg = board.svg  # error: attr-defined
board.position = position  # error: misc
position.turn = Side.WHITE  # error: misc
Board(7)  # error: arg-type
board.push(("11", "15"))  # error: arg-type
board.push(11, 15)  # error: call-arg, arg-type
board.outcome(True)  # error: arg-type
board.outcome("standard", True)  # error: call-arg
board.outcome(claim="B")  # error: arg-type
board.copy(False)  # error: call-arg
position.play(11)  # error: arg-type
position.parse(None)  # error: arg-type
Move("11-15")  # error: arg-type
Piece("B")  # error: arg-type
History.start(Side.BLACK)  # error: arg-type
perft("W:WK7:B15", 3)  # error: arg-type
svg.board("W:WK7:B15")  # error: arg-type
svg.board(position, 200)  # error: call-arg
svg.board(position, orientation="B")  # error: arg-type
svg.board(position, coordinates="roman")  # error: arg-type
svg.board(position, marks=["11"])  # error: list-item
svg.Mark(11, "heart")  # error: arg-type
len(board)  # error: arg-type
winner: Side = board.outcome()  # error: assignment
text: str = board.legal_moves[0]  # error: assignment
chess = kingme.pgn  # error: attr-defined
