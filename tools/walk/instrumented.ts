import { parse } from '@babel/parser';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly loc: { readonly start: { readonly line: number } };
  readonly [key: string]: unknown;
}

/** A text to be written into a program at a place of it. */
interface Note {
  readonly at: number;
  readonly text: string;
  /** Behind something that was noted earlier and ends there too: what lies inside comes first. */
  readonly isEnd?: true;
}

/**
 * A program of which each function tells that it runs and with what: `__walk.begins(id, [parameters])` where it
 * begins, and `__walk.gives(id, value)` around what it gives back, which is what that returns.
 *
 * @param source JavaScript, an ES module
 * @param idOf called once for each function, with its line
 */
export function instrumented(source: string, idOf: (line: number) => number): string {
  const notes: Note[] = [];
  const visit = (node: Node, around?: number): void => {
    const id = isFunction(node) ? idOf(node.loc.start.line) : around;
    if (isFunction(node) && id !== undefined) notes.push(...beginning(node, id));
    if (node.type === 'ReturnStatement' && isNode(node['argument'])) notes.push(...giving(node['argument'], id));
    for (const child of children(node)) visit(child, id);
  };
  visit(parse(source, { sourceType: 'module', plugins: ['explicitResourceManagement'] }).program as unknown as Node);
  return written(source, notes);
}

function beginning(node: Node, id: number): Note[] {
  const { body } = node;
  if (!isNode(body)) return [];
  const begins = `__walk.begins(${id}, [${(node['params'] as Node[]).flatMap(names).join(', ')}])`;
  if (body.type === 'BlockStatement') return [{ at: body.start + 1, text: ` ${begins};` }];
  const [before, after] = giving(body, id) as [Note, Note];
  return [
    { ...before, text: `(${begins}, ${before.text}` },
    { ...after, text: `${after.text})` },
  ];
}

function giving(value: Node, id: number | undefined): Note[] {
  return [
    { at: value.start, text: `__walk.gives(${id}, (` },
    { at: value.end, text: '))', isEnd: true },
  ];
}

function written(source: string, notes: readonly Note[]): string {
  const ends = notes.filter(({ isEnd }) => isEnd === true).toReversed();
  const inOrder = [...notes.filter(({ isEnd }) => isEnd === undefined), ...ends].toSorted((a, b) => a.at - b.at);
  let text = '';
  let place = 0;
  for (const note of inOrder) {
    text += source.slice(place, note.at) + note.text;
    place = note.at;
  }
  return text + source.slice(place);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const isFunction = ({ type }: Node): boolean => /Function|Method/.test(type);

function children(node: Node): Node[] {
  return Object.entries(node)
    .filter(([key]) => key !== 'loc')
    .flatMap(([, value]): unknown[] => (Array.isArray(value) ? value : [value]))
    .filter(isNode);
}

/** The names that a parameter binds. */
function names(pattern: Node | null): string[] {
  if (pattern === null) return [];
  switch (pattern.type) {
    case 'Identifier':
      return [pattern['name'] as string];
    case 'ObjectPattern':
      return (pattern['properties'] as Node[]).flatMap((property) =>
        names((property['value'] ?? property['argument']) as Node),
      );
    case 'ArrayPattern':
      return (pattern['elements'] as (Node | null)[]).flatMap(names);
    case 'AssignmentPattern':
      return names(pattern['left'] as Node);
    default:
      return names(pattern['argument'] as Node);
  }
}
