import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { settledWithin } from '@messaging-gateway/runtime';

/** Answers that are not over by then are cut off, milliseconds. */
const patienceMs = 20_000;
/**
 * Time after which the owners of answers are stopped though something is not answered yet: it may wait for that very
 * stop, milliseconds.
 */
const ownersMs = 3_000;
/** Time within which the last answers of stopped owners have gone out, milliseconds. */
const lastAnswersMs = 1_000;
/** On a connection that is new a request may be on its way for so long, milliseconds. */
const silenceMs = 500;
const lookMs = 20;

/** The connections of a server, and what is being answered on each: made before the server listens. */
export class OpenConnections {
  readonly #server: Server;
  readonly #answering = new Map<Socket, Set<ServerResponse>>();

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.#answering.set(socket, new Set());
      socket.once('close', () => this.#answering.delete(socket));
    });
    server.prependListener('request', ({ socket }, response) => {
      const answers = this.#answering.get(socket);
      answers?.add(response);
      response.once('close', () => answers?.delete(response));
    });
  }

  /**
   * Takes no new connections, finishes what is being answered, ends connections as soon as nothing is asked on them: also
   * those on which nothing was ever asked, which browsers and load balancers keep in stock.
   *
   * @param owners stops those who answer in this process, so that what waits for them, a message for its turn, is answered
   * too; what has no answer after that gets none
   */
  async drain(owners?: () => Promise<void>): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const since = performance.now();
    const looking = setInterval(() => {
      this.#server.closeIdleConnections();
      const age = performance.now() - since;
      if (age >= silenceMs) this.#endWhere((answers) => answers.length === 0);
      if (age >= patienceMs) this.#server.closeAllConnections();
    }, lookMs);
    try {
      if (owners !== undefined) await this.#stopOwners(owners, closed);
    } finally {
      await closed;
      clearInterval(looking);
    }
  }

  async #stopOwners(owners: () => Promise<void>, closed: Promise<void>): Promise<void> {
    await settledWithin(ownersMs, closed);
    try {
      await owners();
    } finally {
      if (!(await settledWithin(lastAnswersMs, closed)))
        this.#endWhere((answers) => answers.some(({ headersSent }) => !headersSent));
    }
  }

  #endWhere(isOver: (answers: readonly ServerResponse[]) => boolean): void {
    for (const [socket, answers] of this.#answering) if (isOver([...answers])) socket.destroy();
  }
}
