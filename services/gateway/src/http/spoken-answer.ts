import { once } from 'node:events';
import type { OperationReply, OperationRequest } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import type { Response } from 'express';
import type { KeptAnswer } from '../idempotency/sealed-answer.ts';
import { errorAnswer, refusedOf } from '../request/error-answer.ts';

export type Speech = NonNullable<OperationRequest['speech']>;
type AskForPiece = (speech: Speech) => Promise<OperationReply>;

/**
 * An answer that goes out while it is made, as server-sent events: pieces, then `event: done` with the whole. What fails
 * before the first piece is answered as ever; what fails later is the last event, `event: error`.
 */
export class SpokenAnswer {
  readonly #response: Response;

  constructor(response: Response) {
    this.#response = response;
  }

  /** Asks for one piece after the other. @returns the whole. @throws Refused when the client has gone */
  async hear(ask: AskForPiece): Promise<OperationReply> {
    const response = this.#response;
    let reply = await ask({});
    while (reply.state !== undefined) {
      if (response.destroyed) throw new Refused('SERVICE_UNAVAILABLE', 'The client has gone.');
      this.#open();
      const { content } = reply.body as { content: string };
      await this.#write(content === '' ? ': waiting\n\n' : `data: ${JSON.stringify({ content })}\n\n`);
      reply = await ask({ state: reply.state });
    }
    return reply;
  }

  /** The last event, also of an answer that was given before. */
  end({ json, headers }: KeptAnswer): void {
    if (!this.#response.headersSent)
      for (const [name, value] of Object.entries(headers)) this.#response.setHeader(name, value);
    this.#open();
    this.#response.end(`event: done\ndata: ${json ?? '{}'}\n\n`);
  }

  /** @throws the error when nothing has gone out yet */
  fail(error: unknown, requestId: string): void {
    if (!this.#response.headersSent) throw error;
    const { body } = errorAnswer(refusedOf(error), requestId);
    this.#response.end(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
  }

  #open(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
  }

  async #write(text: string): Promise<void> {
    const response = this.#response;
    if (response.write(text) || response.destroyed) return;
    const gone = new AbortController();
    const away = (): void => gone.abort();
    response.once('close', away);
    await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
    response.off('close', away);
  }
}
