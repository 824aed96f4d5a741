import { sendInSession } from '../api/client.ts';
import { textOf } from '../api/broken-off.ts';
import { problemOf, Problem } from '../api/problem.ts';
import { EventText, type StreamEvent } from './event-text.ts';

/** The gateway says something every ten seconds; silence for longer is a connection that is gone. Milliseconds. */
const silenceMs = 14_000;

interface Reading {
  readonly path: string;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  readonly onEvent: (event: StreamEvent) => void;
}

/**
 * Reads one event stream until it ends, falls silent or is given up.
 *
 * @throws Problem when it is not opened
 */
export async function readStream({ path, signal, onOpen, onEvent }: Reading): Promise<void> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), silenceMs);
  };
  const ended = AbortSignal.any([signal, silence.signal]);
  try {
    const answer = await sendInSession(
      path,
      { method: 'GET', headers: { accept: 'text/event-stream' }, signal: ended },
      'own',
    );
    if (!answer.ok || answer.body === null) throw problemOf(answer, await textOf(answer, ended), 'own');
    if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true)
      throw problemOf(answer, '', 'own');
    onOpen();
    heard();
    const events = new EventText();
    const decoder = new TextDecoder();
    for await (const piece of piecesOf(answer.body)) {
      heard();
      for (const event of events.add(decoder.decode(piece, { stream: true }))) onEvent(event);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (!ended.aborted && !(error instanceof TypeError)) throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}
