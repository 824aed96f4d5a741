import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** Body of a request for chat completions or embeddings, as far as it matters here. */
export interface AskedBody {
  readonly model?: string;
  readonly messages?: readonly { readonly role: string; readonly content: unknown; readonly tool_call_id?: string }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly input?: string | readonly string[];
  readonly encoding_format?: 'float' | 'base64';
  readonly dimensions?: number;
  readonly response_format?: unknown;
}

/** Answer of the model. */
interface Said {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string | object }[];
  /** `null`: none is told. Default: a quarter of the characters. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
}
export type Reply = (body: AskedBody) => string | Said;

type Answer = (body: AskedBody, response: ServerResponse, reply: Reply) => Promise<void>;

/** Right answers, by path. */
export const answers: Readonly<Record<string, Answer>> = {
  '/v1/chat/completions': async (body, response, reply) => {
    const given = reply(body);
    const said = typeof given === 'string' ? { text: given } : given;
    if (body.stream === true) streamed(body, said, response);
    else json(response, completion(body, said));
  },
  '/v1/embeddings': async ({ input = [], model, encoding_format, dimensions }, response) => {
    const data = [input].flat().map((text, index) => {
      const vector = embeddingOf(text, dimensions);
      const embedding =
        encoding_format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;
      return { object: 'embedding', index, embedding };
    });
    json(response, { object: 'list', data, model, usage: { prompt_tokens: data.length, total_tokens: data.length } });
  },
};

/**
 * The embedding of a text: each word points into a direction of its own, so texts are the nearer the more words they
 * share. Of length 1; the same for the same text.
 */
export function embeddingOf(text: string, dimensions = 64): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const digest = createHash('sha512').update(word).digest();
    for (let place = 0; place < dimensions; place += 1)
      vector[place] = (vector[place] ?? 0) + ((digest[place % digest.length] ?? 0) - 127.5) * (place < 64 ? 1 : 0.5);
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

export function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const quarter = (text: string): number => Math.ceil(text.length / 4);

function usageOf({ messages = [] }: AskedBody, { text = '', usage }: Said): object | undefined {
  if (usage === null) return undefined;
  const { prompt_tokens, completion_tokens } = usage ?? {
    prompt_tokens: quarter(messages.map(({ content }) => String(content)).join('')),
    completion_tokens: quarter(text),
  };
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

const callsOf = ({ toolCalls = [] }: Said): object[] =>
  toolCalls.map(({ name, arguments: given }, index) => ({
    index,
    id: `call_${index}_${name}`,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }));

const common = { id: 'chatcmpl-1', created: 1_700_000_000 };

function completion(body: AskedBody, said: Said): object {
  const calls = callsOf(said);
  const message = {
    role: 'assistant',
    content: said.text ?? null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const usage = usageOf(body, said);
  return {
    ...common,
    object: 'chat.completion',
    model: body.model,
    choices: [{ index: 0, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop', message }],
    ...(usage && { usage }),
  };
}

/** Word by word. */
function streamed(body: AskedBody, said: Said, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (more: object): void => void response.write(`data: ${chunk(body, more)}\n\n`);
  for (const content of said.text?.match(/\S+\s*|\s+/g) ?? []) send({ choices: [{ index: 0, delta: { content } }] });
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  const usage = usageOf(body, said);
  if (body.stream_options?.include_usage === true && usage) send({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}

/** An event of a streamed completion. */
export const chunk = ({ model }: AskedBody, more: object): string =>
  JSON.stringify({ ...common, object: 'chat.completion.chunk', model, ...more });
