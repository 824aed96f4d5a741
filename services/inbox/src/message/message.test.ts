import { describe, expect, it } from '@jest/globals';
import { messageStatuses, type MessageStatusWord } from '@messaging-gateway/contracts';
import { specification } from '@messaging-gateway/testing';
import * as fc from 'fast-check';
import { message, type MessageCommand, type MessageEvent } from './message.ts';

const given = specification(message);
const messageId = '0198c0de-0000-7000-8000-000000000001';
const outgoing = {
  messageId,
  profileId: '0198c0de-0000-7000-8000-000000000002',
  conversationId: '0198c0de-0000-7000-8000-000000000003',
  networkMessageId: '3EB0C767',
  chat: '4915112345678@c.us',
  to: '4915112345678@c.us',
  type: 'text' as const,
  content: { text: 'Hello' },
  origin: 'api',
  status: 'queued' as MessageStatusWord,
  silent: false,
  timestamp: '2026-01-01T00:00:00.000Z',
};
const { origin: _origin, status: _status, silent: _silent, ...shared } = outgoing;
const incoming = { ...shared, author: '4915112345678@c.us', delivery: 'live' as const };

const store: MessageCommand = { type: 'StoreOutgoing', message: outgoing };
const stored: MessageEvent = { type: 'OutgoingStored', data: outgoing };
const note = (status: MessageStatusWord): MessageCommand => ({ type: 'NoteStatus', progress: { messageId, status } });
const changed = (status: MessageStatusWord, known = true): MessageEvent => ({
  type: 'StatusChanged',
  data: { messageId, status, stored: known },
});
const error = { code: 'EXPIRED', message: 'Too late.' };

describe('an outgoing message', () => {
  it('is stored', () => given().when(store).then(stored));
  it('is stored only once', () => given(stored).when(store).thenNothing());
  it('moves on', () => given(stored).when(note('sent')).then(changed('sent')));
  it('never moves backwards', () => given(stored, changed('read')).when(note('delivered')).thenNothing());
  it('takes the same fact once', () => given(stored, changed('sent')).when(note('sent')).thenNothing());
  it('keeps a fact that came before it', () => given().when(note('sent')).then(changed('sent', false)));
  it('is stored as far as facts before it have told', () =>
    given(changed('delivered', false))
      .when(store)
      .then({ type: 'OutgoingStored', data: { ...outgoing, status: 'delivered' } }));
  describe('whose number the network returned in another form', () => {
    const to = '491512345678@c.us';
    const readdress: MessageCommand = { type: 'NoteStatus', progress: { messageId, status: 'sent', to } };
    const readdressed = (status: MessageStatusWord, known = true): MessageEvent => ({
      type: 'StatusChanged',
      data: { messageId, status, to, stored: known },
    });
    it('is kept under that form', () => given(stored).when(readdress).then(readdressed('sent')));
    it('keeps a later status that came first', () =>
      given(stored, changed('delivered')).when(readdress).then(readdressed('delivered')));
    it('is readdressed once', () => given(stored, readdressed('sent')).when(readdress).thenNothing());
    it('is stored under that form if it is stored later', () =>
      given(readdressed('sent', false))
        .when(store)
        .then({ type: 'OutgoingStored', data: { ...outgoing, status: 'sent', to } }));
  });
  it('is stored with the failure that was told before it', () =>
    given({ type: 'StatusChanged', data: { messageId, status: 'failed', error, stored: false } })
      .when(store)
      .then({ type: 'OutgoingStored', data: { ...outgoing, status: 'failed', error } }));

  const failing = (ends: boolean) => ({
    failing: { profileId: outgoing.profileId, conversationId: outgoing.conversationId, ends },
  });
  const failed: MessageEvent = {
    type: 'StatusChanged',
    data: { messageId, status: 'failed', stored: true, ...failing(false) },
  };
  it('tells its conversation when it fails', () => given(stored).when(note('failed')).then(failed));
  it('tells its conversation when it has not failed after all', () =>
    given(stored, failed)
      .when(note('sent'))
      .then({ type: 'StatusChanged', data: { messageId, status: 'sent', stored: true, ...failing(true) } }));

  it('ends the same in whichever order its facts arrive, and however often', () => {
    const facts = fc.array(fc.constantFrom(...messageStatuses.filter((status) => status !== 'received')), {
      maxLength: 6,
    });
    const apply = (commands: readonly MessageCommand[]): unknown => {
      let state = message.initial;
      for (const command of commands)
        state = message.decide(command, state).reduce((before, event) => message.evolve(before, event), state);
      return state;
    };
    fc.assert(
      fc.property(
        facts.chain((statuses) => {
          const commands = [store, ...statuses.map(note)];
          return fc.record({
            commands: fc.constant(commands),
            shuffled: fc.shuffledSubarray([...commands, ...commands], { minLength: commands.length * 2 }),
          });
        }),
        ({ commands, shuffled }) => expect(apply(shuffled)).toEqual(apply(commands)),
      ),
    );
  });
});

describe('an incoming message', () => {
  const take: MessageCommand = { type: 'StoreIncoming', message: incoming };
  const taken: MessageEvent = { type: 'IncomingStored', data: incoming };
  it('is stored', () => given().when(take).then(taken));
  it('is stored once, however often it is delivered', () => given(taken).when(take).thenNothing());
});
