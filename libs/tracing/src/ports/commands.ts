import type { CommandEnvelope } from '@messaging-gateway/contracts';
import type { CommandQueue } from '@messaging-gateway/messaging';
import { inSpan, type Facts, type Spans } from '../spans.ts';
import { under } from './operations.ts';

/** Commands in spans: one of who sends, one for each attempt to carry it out. */
export const tracedCommands = (queue: CommandQueue, spans: Spans): CommandQueue => ({
  ...queue,
  send: (owner, command) =>
    inSpan(
      spans,
      `send ${command.name}`,
      { kind: 'producer', parent: command.traceparent, facts: factsOf('send', command) },
      (traceparent) => queue.send(owner, under(command, traceparent)),
    ),
  handle: (owner, name, handler, retry) =>
    queue.handle(
      owner,
      name,
      (command) =>
        inSpan(
          spans,
          `process ${name}`,
          { kind: 'consumer', parent: command.traceparent, facts: factsOf('process', command) },
          (traceparent) => handler(under(command, traceparent)),
        ),
      retry,
    ),
});

const factsOf = (what: 'send' | 'process', { name, id, requestId }: CommandEnvelope): Facts => ({
  'messaging.system': 'messaging-gateway',
  'messaging.operation.type': what,
  'messaging.destination.name': name,
  'messaging.message.id': id,
  'request.id': requestId,
});
