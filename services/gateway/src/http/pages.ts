import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Operation, PagesSpec } from '@messaging-gateway/contracts';
import type { RequestHandler, Response } from 'express';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import { stateOf } from '../request/request-state.ts';
import { inputCheck } from './input.ts';

interface TextPage {
  readonly text: string;
  readonly nextCursor: string | null;
}

/**
 * Answers with a text that the owner gives page after page. What fails before the first page is answered as ever; what
 * fails later breaks the connection off, so that nobody takes a part for the whole.
 */
export function pagesAnswering(
  operation: Operation,
  { cursorQuery, contentType, filename }: PagesSpec,
  { dispatcher }: { readonly dispatcher: Dispatcher },
): RequestHandler {
  const checked = inputCheck(operation);
  return async (request, response) => {
    const input = checked({ params: request.params as Record<string, string>, query: request.query, body: undefined });
    const sent = { resourceId: randomUUID(), repeated: false };
    let cursor: string | null | undefined;
    while (cursor !== null && !response.destroyed) {
      const query = { ...input.query, ...(cursor !== undefined && { [cursorQuery]: cursor }) };
      try {
        const reply = await dispatcher.send(operation, request, stateOf(response), { ...input, query }, sent);
        const { text, nextCursor } = reply.body as TextPage;
        if (!response.headersSent) open(response, contentType, filename);
        if (request.method === 'HEAD') break;
        await write(response, text);
        cursor = nextCursor;
      } catch (error) {
        if (!response.headersSent) throw error;
        response.destroy();
        return;
      }
    }
    response.end();
  };
}

function open(response: Response, contentType: string, filename: string): void {
  response.writeHead(200, {
    'Content-Type': `${contentType}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${filename}"`,
    'Cache-Control': 'no-store',
  });
  response.flushHeaders();
}

async function write(response: Response, text: string): Promise<void> {
  if (text === '' || response.write(text)) return;
  const gone = new AbortController();
  const away = (): void => gone.abort();
  response.once('close', away);
  await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
  response.off('close', away);
}
