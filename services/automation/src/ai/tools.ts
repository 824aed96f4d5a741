import type { KnowledgeHit } from '@messaging-gateway/contracts';
import { reasonOf, type Logger } from '@messaging-gateway/runtime';
import type { ChatCompletionTool } from 'openai/resources/chat/completions';
import type { Static } from 'typebox';
import type { ToolCall } from '../provider/chatting.ts';

export type CitationShown = Static<typeof KnowledgeHit>;

/** Result of a tool. */
interface ToolResult {
  /** Words for the model. */
  readonly text: string;
  readonly citations?: readonly CitationShown[];
}

/** A tool that the model may use for the contact it answers. The contact is no argument: it is bound when the tool is offered. */
export interface Tool {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Arguments come from the model, which repeats what the contact wrote: check them. */
  readonly run: (given: Readonly<Record<string, unknown>>) => Promise<ToolResult>;
}

/** A tool that was carried out, or could not be. */
export interface CarriedOut {
  readonly name: string;
  /** As the model has written them. */
  readonly arguments: string;
  readonly ok: boolean;
  readonly result: string;
}

/** Calls of one round that are carried out. */
const mostCalls = 8;
/** Of what a tool tells the model, characters. */
const longestResult = 16_384;

const textParameter = (name: string, description: string, isOptional = false): Tool['parameters'] => ({
  type: 'object',
  properties: { [name]: { type: 'string', description } },
  ...(!isOptional && { required: [name] }),
  additionalProperties: false,
});

const textOf = (given: Readonly<Record<string, unknown>>, name: string): string => {
  const value = given[name];
  if (typeof value !== 'string' || value.trim() === '') throw new Error(`${name} must be a text`);
  return value;
};

/** The tools that flows name, around what they do. */
export const standardTools = {
  search_knowledge: (search: (query: string) => Promise<readonly CitationShown[]>): Tool => ({
    name: 'search_knowledge',
    description: 'Searches the knowledge base of the business. Use it before you answer a question about the business.',
    parameters: textParameter('query', 'What to look for, in a few words'),
    run: async (given) => {
      const citations = await search(textOf(given, 'query'));
      return { text: citations.length === 0 ? 'Nothing was found.' : passages(citations), citations };
    },
  }),
  add_tag: (add: (tag: string) => Promise<void>): Tool => ({
    name: 'add_tag',
    description: 'Gives the contact a tag, such as "interested".',
    parameters: textParameter('tag', 'The tag'),
    run: async (given) => {
      await add(textOf(given, 'tag'));
      return { text: 'Done.' };
    },
  }),
  handover: (handOver: () => Promise<void>): Tool => ({
    name: 'handover',
    description: 'Hands the chat over to a human. Use it when the contact asks for one, or when you cannot help.',
    // The reason makes the model think first. Nobody reads it, so that a call without it, or with another type, hands over too.
    parameters: textParameter('reason', 'Why, in a few words', true),
    run: async () => {
      await handOver();
      return { text: 'A human takes over. Tell the contact so.' };
    },
  }),
} as const;

/** Passages of knowledge as a model reads them. */
export const passages = (citations: readonly CitationShown[]): string =>
  citations.map(({ documentName, content }) => `[${documentName}]\n${content}`).join('\n\n');

export const offered = (tools: readonly Tool[]): ChatCompletionTool[] =>
  tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters: { ...parameters } },
  }));

/** Carries out what the model asks for, one after the other. Never throws: the model is told what went wrong. */
export async function carryOut(
  tools: readonly Tool[],
  calls: readonly ToolCall[],
  log: Pick<Logger, 'debug'>,
): Promise<(CarriedOut & { readonly callId: string; readonly citations: readonly CitationShown[] })[]> {
  const done = [];
  for (const [place, { id, name, arguments: given }] of calls.entries()) {
    const result = await resultOf(tools, name, given, place).catch((error: unknown) => {
      log.debug('a tool of AI failed', { tool: name, reason: reasonOf(error) });
      return { ok: false, text: `It failed: ${reasonOf(error)}`, citations: [] };
    });
    const { ok, text, citations = [] } = result;
    done.push({ callId: id, name, arguments: given, ok, result: text.slice(0, longestResult), citations });
  }
  return done;
}

async function resultOf(
  tools: readonly Tool[],
  name: string,
  given: string,
  place: number,
): Promise<ToolResult & { readonly ok: boolean }> {
  if (place >= mostCalls) throw new Error(`at most ${mostCalls} calls at once`);
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error('there is no such tool');
  return { ok: true, ...(await tool.run(argumentsOf(given))) };
}

function argumentsOf(text: string): Readonly<Record<string, unknown>> {
  let given: unknown;
  try {
    given = JSON.parse(text.trim() === '' ? '{}' : text);
  } catch {
    throw new Error('the arguments are not JSON');
  }
  if (given === null) return {};
  if (typeof given !== 'object' || Array.isArray(given)) throw new Error('the arguments are no object');
  return given as Record<string, unknown>;
}
