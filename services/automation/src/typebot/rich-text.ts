import { link, marked } from './marks.ts';

/** A node as the editor of Typebot keeps it. */
interface Node {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly url?: unknown;
  readonly bold?: unknown;
  readonly italic?: unknown;
  readonly underline?: unknown;
  readonly strikethrough?: unknown;
  readonly children?: unknown;
}

/** Nodes within nodes, at most. */
const deepest = 20;

/** Rich text, which installations answer with that do not know markdown, with the network's marks. */
export const textOfNodes = (nodes: unknown): string => blocks(nodes, 0).join('\n');

function blocks(nodes: unknown, depth: number): string[] {
  if (!Array.isArray(nodes) || depth > deepest) return [];
  return (nodes as readonly unknown[]).flatMap((node) => block(node, depth));
}

function block(given: unknown, depth: number): string[] {
  if (typeof given !== 'object' || given === null) return [];
  const node = given as Node;
  switch (node.type) {
    case 'ul':
      return children(node).map((item) => `- ${inline([item], depth + 1)}`);
    case 'ol':
      return children(node).map((item, index) => `${index + 1}. ${inline([item], depth + 1)}`);
    case 'variable':
      return blocks(node.children, depth + 1);
    default:
      return [inline([node], depth)];
  }
}

const children = ({ children: given }: Node): readonly unknown[] => (Array.isArray(given) ? given : []);

function inline(nodes: readonly unknown[], depth: number): string {
  if (depth > deepest) return '';
  return nodes
    .map((given) => {
      if (typeof given !== 'object' || given === null) return '';
      const node = given as Node;
      if (typeof node.text === 'string') return styled(node, node.text);
      const inner = inline(children(node), depth + 1);
      return node.type === 'a' && typeof node.url === 'string' ? link(inner, node.url) : inner;
    })
    .join('');
}

function styled({ bold, italic, strikethrough }: Node, text: string): string {
  let made = text;
  if (strikethrough === true) made = marked('strike', made);
  if (italic === true) made = marked('italic', made);
  return bold === true ? marked('bold', made) : made;
}
