// The game that an address asks for: /?fen=…&mode=two&side=white&level=3&preset=tournament.
import { create, sound } from "./game.js";
import { parseFen } from "./notation.js";
import { toFen } from "./rules.js";

/** @import {Game, Preset} from "./types" */

const SIDES = { black: "B", dark: "B", white: "W", light: "W" };

/** The settings that an address names; throws an Error that can be shown. Without a side the person has the move.
 *  @param {string} search @param {Preset[]} presets @returns {Partial<Game>} */
export function linked(search, presets) {
  const { fen, mode, side, level, preset } = Object.fromEntries(new URLSearchParams(search));
  const position = fen === undefined ? undefined : parseFen(fen);
  const settings = { mode, preset, level: level && Number(level), start: position && toFen(position),
    side: side ? SIDES[side.toLowerCase()] ?? side : position?.turn };
  const named = JSON.parse(JSON.stringify(settings)); // without those that are undefined
  if (!sound(create(named), presets)) throw Error("it names a mode, side, level or preset that does not exist");
  return named;
}
