import type OpenAI from 'openai';
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';

/** Tokens as the provider counts them. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
}

/** Request to a model. */
export interface Chat {
  readonly messages: readonly ChatCompletionMessageParam[];
  /** Tokens of the answer, at most. */
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly tools?: readonly ChatCompletionTool[];
  /** Is given the text as it comes. Tools and this do not go together. */
  readonly onText?: ((text: string) => void) | undefined;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, as the model has written it. */
  readonly arguments: string;
}

/** Answer of a model. */
export interface Spoken {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Reckoned from the characters where the provider does not tell. */
  readonly usage: Usage;
}

/** An answer that is none. */
export class Nonsense extends Error {}

/** Tokens of so many characters, as far as nobody tells. */
export const tokensOf = (characters: number): number => Math.ceil(characters / 4);

export const charactersOf = (messages: readonly ChatCompletionMessageParam[]): number =>
  messages.reduce((sum, { content }) => sum + (typeof content === 'string' ? content.length : 0), 0);

/** Asks a model once. @throws whatever goes wrong on the way, Nonsense */
export async function chat(client: OpenAI, model: string, asked: Chat, signal: AbortSignal): Promise<Spoken> {
  const { messages, maxTokens, temperature, tools = [], onText } = asked;
  const params: ChatCompletionCreateParamsNonStreaming = {
    model,
    messages: [...messages],
    // New models of OpenAI refuse the field that all others know.
    ...(new URL(client.baseURL).hostname === 'api.openai.com'
      ? { max_completion_tokens: maxTokens }
      : { max_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(tools.length > 0 && { tools: [...tools] }),
  };
  if (onText === undefined) return whole(await client.chat.completions.create(params, { signal }), asked);
  const stream = await client.chat.completions.create(
    { ...params, stream: true, stream_options: { include_usage: true } },
    { signal },
  );
  return inPieces(stream, asked, onText);
}

function whole(answer: Partial<ChatCompletion> | string, asked: Chat): Spoken {
  const { choices, usage } = typeof answer === 'string' ? {} : answer;
  const message = choices?.[0]?.message;
  const text = message?.content ?? '';
  const toolCalls = (message?.tool_calls ?? []).flatMap((call) =>
    call.type === 'function' && typeof call.function.name === 'string'
      ? [{ id: call.id, name: call.function.name, arguments: call.function.arguments ?? '' }]
      : [],
  );
  if (typeof text !== 'string' || (text === '' && toolCalls.length === 0)) throw new Nonsense('no text');
  return { text, toolCalls, usage: usageOf(usage, asked, text) };
}

async function inPieces(
  stream: AsyncIterable<ChatCompletionChunk>,
  asked: Chat,
  onText: (text: string) => void,
): Promise<Spoken> {
  let text = '';
  let usage: ChatCompletionChunk['usage'];
  let isWhole = false;
  for await (const chunk of stream) {
    const choice = chunk.choices?.[0];
    const piece = choice?.delta?.content;
    if (typeof piece === 'string' && piece !== '') {
      text += piece;
      onText(piece);
    }
    if (typeof choice?.finish_reason === 'string') isWhole = true;
    usage = chunk.usage ?? usage;
  }
  if (!isWhole || text === '') throw new Nonsense('cut off');
  return { text, toolCalls: [], usage: usageOf(usage, asked, text) };
}

function usageOf(given: ChatCompletion['usage'] | null, { messages }: Chat, text: string): Usage {
  const count = (value: unknown, otherwise: number): number =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : otherwise;
  const promptTokens = count(given?.prompt_tokens, tokensOf(charactersOf(messages)));
  const completionTokens = count(given?.completion_tokens, tokensOf(text.length));
  return { promptTokens, completionTokens, totalTokens: count(given?.total_tokens, promptTokens + completionTokens) };
}
