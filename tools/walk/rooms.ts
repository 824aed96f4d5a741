import type { Place, Step } from './recorded.ts';

/**
 * The rooms of a way: files in which the text itself is handled or handed on, in the order in which it comes to them.
 *
 * - The way goes until a library has the text (the engine's, which encrypts and sends it), and back through the same rooms.
 *   What a library keeps by our stores, and who hears of the message afterwards, is behind it.
 * - A file hands on when it gives the text to another room. It handles the text when it gives it back in whatever form,
 *   or makes something of it: a verdict, a cipher. Who is told, and neither says nor passes on anything, is no room.
 * - What is offered to many at one place of the program, none of them by its name (an event to the views), is handled by
 *   those only who hand the text itself on or back.
 */
export function roomsOf(steps: readonly (Step & Place)[]): string[] {
  const end = steps.findIndex(({ isHolding, from }) => isHolding && from === 'library');
  const way = steps.slice(0, end === -1 ? steps.length : end);
  const handed = way.filter(({ isHolding, isEnd }) => isHolding && isEnd === undefined);
  const offers = offersIn(handed);
  const called = new Set(way.filter((step) => step.isEnd === undefined && isFromAnother(step)).map(functionOf));
  const byName = new Set(handed.filter((step) => isFromAnother(step) && !offers.has(step.from ?? '')).map(functionOf));
  const rooms = new Set<string>();
  for (const step of way)
    if (step.isEnd === true && (step.isHolding ? called : byName).has(functionOf(step))) rooms.add(step.file);
  for (let before = -1; before < rooms.size;) {
    before = rooms.size;
    for (const step of handed) if (isFromAnother(step) && rooms.has(step.file)) rooms.add(callerOf(step));
  }
  return [...new Set(way.filter(({ isHolding }) => isHolding).map(({ file }) => file))].filter((file) =>
    rooms.has(file),
  );
}

/** Places of the program that hand the text to several files. */
function offersIn(handed: readonly (Step & Place)[]): Set<string> {
  const files = new Map<string, Set<string>>();
  for (const { from = '', file } of handed) files.set(from, (files.get(from) ?? new Set()).add(file));
  return new Set([...files].filter(([from, { size }]) => from !== '' && size > 1).map(([from]) => from));
}

const functionOf = ({ file, line }: Place): string => `${file}:${line}`;
const callerOf = ({ from = '' }: Step): string => from.replace(/(:\d+)+$/, '');
const isFromAnother = (step: Step & Place): boolean => callerOf(step) !== step.file;
