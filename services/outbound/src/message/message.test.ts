import { describe, it } from '@jest/globals';
import { specification } from '@messaging-gateway/testing';
import {
  message,
  type MessageCommand,
  type MessageEvent,
  type MessageFacts,
  type SendMode,
  type StatusWord,
} from './message.ts';

const given = specification(message);
const facts: MessageFacts = {
  messageId: '0198c0de-0000-7000-8000-000000000001',
  profileId: '0198c0de-0000-7000-8000-000000000002',
  conversationId: '0198c0de-0000-7000-8000-000000000003',
  networkMessageId: '3EB0C767D82B1F2A3C4D5E',
  to: '4915112345678@c.us',
  type: 'text',
  origin: 'api',
};
const { to: _, ...withoutTo } = facts;
const { messageId, profileId } = facts;
const content = { type: 'text' as const, content: { text: 'Hello' } };
const at = Date.parse('2026-01-01T10:00:00.000Z');
const iso = (after = 0): string => new Date(at + after).toISOString();
const day = '2026-01-01';
const error = { code: 'ENGINE_REFUSED', message: 'The network refused the message.' };

const accept = (mode: SendMode): MessageCommand => ({ type: 'AcceptMessage', facts, content, mode, at });
const accepted = (mode: SendMode): MessageEvent => ({
  type: 'MessageAccepted',
  data: { ...facts, content, mode, acceptedAt: iso(), day },
});
const queued = accepted('durable');
const sending = accepted('synchronous');
const confirm: MessageCommand = { type: 'ConfirmSent', handedOverAt: at };
const reserved = { kind: 'reserved' as const, day };
const uncertain = { kind: 'uncertain' as const, day };
const sentFrom = (previousStatus: StatusWord, place: typeof reserved | typeof uncertain = reserved): MessageEvent => ({
  type: 'MessageSent',
  data: { ...facts, previousStatus, handedOverAt: iso(), place, content },
});
const sent = sentFrom('sending');
const lose: MessageCommand = { type: 'LoseOutcome', handedOverAt: at };
const lost: MessageEvent = {
  type: 'OutcomeLost',
  data: { ...facts, mode: 'synchronous', acceptedAt: iso(), previousStatus: 'sending', handedOverAt: iso(), day },
};
const refuse = (attempt: number): MessageCommand => ({ type: 'RefuseDelivery', error, attempt, at });
const attemptFailed = (attempt: number, wait: number): MessageEvent => ({
  type: 'DeliveryAttemptFailed',
  data: { ...withoutTo, mode: 'durable', acceptedAt: iso(), attempt, error, day, nextAttemptAt: iso(wait) },
});
const failedFrom = (
  previousStatus: StatusWord,
  failure = error,
  place: typeof reserved | typeof uncertain = reserved,
): MessageEvent => ({
  type: 'MessageFailed',
  data: { ...facts, previousStatus, error: failure, failedAt: iso(), place },
});
const receipt = (status: 'delivered' | 'read' | 'played', confirms = false): MessageCommand => ({
  type: 'RecordReceipt',
  status,
  at,
  confirms,
});
const received = (status: 'delivered' | 'read' | 'played', previousStatus: StatusWord): MessageEvent => ({
  type: 'ReceiptRecorded',
  data: { ...facts, previousStatus, status, at: iso() },
});

describe('a message', () => {
  it('is accepted once, however often it is asked for', () => {
    given().when(accept('synchronous')).then(sending);
    given(sending).when(accept('synchronous')).thenNothing();
    given(sending, failedFrom('sending')).when(accept('synchronous')).thenNothing();
  });
  it('cannot move before it was accepted', () => given().when(confirm).thenRefused('NOT_FOUND'));
  it('is sent once, once the network took it', () => {
    given(sending).when(confirm).then(sent);
    given(queued).when(confirm).then(sentFrom('queued'));
    given(sending, sent).when(confirm).thenNothing();
  });
  it('counts for the day of its hand-over', () => {
    const midnight = Date.parse('2026-01-01T17:00:00.000Z');
    given(sending)
      .when({ type: 'ConfirmSent', handedOverAt: midnight })
      .then({
        type: 'MessageSent',
        data: {
          ...facts,
          previousStatus: 'sending',
          handedOverAt: new Date(midnight).toISOString(),
          place: { kind: 'reserved', day: '2026-01-02' },
          content,
        },
      });
  });
});

describe('a change of another message', () => {
  const target = { networkMessageId: '3EB0AA', fromMe: false };
  const change = { type: 'reaction' as const, content: { emoji: '👍' }, target };
  const ofChange = { ...facts, type: 'reaction' as const };
  const data = { ...ofChange, content: change, mode: 'synchronous' as const, acceptedAt: iso(), day };
  const acceptedChange: MessageEvent = { type: 'MessageAccepted', data };

  it('says what was done when the network took it', () =>
    given(acceptedChange)
      .when(confirm)
      .then({
        type: 'MessageSent',
        data: { ...ofChange, previousStatus: 'sending', handedOverAt: iso(), place: reserved, change },
      }));
  it('says nothing of it when it was erased meanwhile', () => {
    given({ type: 'MessageAccepted', data: { ...data, content: '\u0000erased' as never } })
      .when(confirm)
      .then({
        type: 'MessageSent',
        data: { ...ofChange, previousStatus: 'sending', handedOverAt: iso(), place: reserved },
      });
  });
});

describe('a refused message', () => {
  it('fails at once in synchronous mode', () => given(sending).when(refuse(1)).then(failedFrom('sending')));
  it('is tried three times in all in durable mode, 1 s and 4 s later', () => {
    given(queued).when(refuse(1)).then(attemptFailed(1, 1000));
    given(queued, attemptFailed(1, 1000)).when(refuse(2)).then(attemptFailed(2, 4000));
    given(queued, attemptFailed(1, 1000), attemptFailed(2, 4000)).when(refuse(3)).then(failedFrom('queued'));
  });
  it('counts an attempt once, whoever tells of it', () =>
    given(queued, attemptFailed(1, 1000)).when(refuse(1)).thenNothing());
  it('stays failed, whatever is told later', () => {
    const failed = failedFrom('sending');
    given(sending, failed).when(confirm).thenNothing();
    given(sending, failed).when(lose).thenNothing();
    given(sending, failed).when(refuse(1)).thenNothing();
    given(sending, failed).when(receipt('read')).thenNothing();
  });
});

describe('a message whose outcome was lost', () => {
  it('is unknown, once', () => {
    given(sending).when(lose).then(lost);
    given(sending, lost).when(lose).thenNothing();
    given(sending, sent).when(lose).thenNothing();
  });
  it('keeps the place of the day on which it was handed over', () => {
    const nextDay = at + 24 * 3_600_000;
    given(sending, lost)
      .when({ type: 'ConfirmSent', handedOverAt: nextDay })
      .then({
        type: 'MessageSent',
        data: {
          ...facts,
          previousStatus: 'unknown',
          handedOverAt: new Date(nextDay).toISOString(),
          place: uncertain,
          content,
        },
      });
  });
  it('fails when the network says no', () =>
    given(sending, lost)
      .when(refuse(1))
      .then(failedFrom('unknown', error, uncertain)));
  it('is not given up like one that never left', () =>
    given(sending, lost).when({ type: 'GiveUp', error, at }).thenNothing());
  it('may be left unsettled for good', () =>
    given(sending, lost)
      .when({ type: 'AbandonSettlement' })
      .then({ type: 'SettlementAbandoned', data: { messageId, profileId } }));
  it('fails in synchronous mode when nothing had left, and goes on in durable mode', () => {
    const failure = {
      code: 'ENGINE_TIMEOUT',
      message: 'The message was not handed over in time and will not be sent.',
    };
    given(sending).when({ type: 'ReportNeverSeen', at }).then(failedFrom('sending', failure));
    given(sending, lost)
      .when({ type: 'ReportNeverSeen', at })
      .then(failedFrom('unknown', failure, uncertain));
    given(queued).when({ type: 'ReportNeverSeen', at }).thenNothing();
  });
});

describe('a receipt', () => {
  it('moves a message forward', () => {
    given(sending, sent).when(receipt('delivered')).then(received('delivered', 'sent'));
    given(sending, sent, received('delivered', 'sent')).when(receipt('read')).then(received('read', 'delivered'));
    given(sending, sent, received('read', 'sent')).when(receipt('played')).then(received('played', 'read'));
  });
  it('never moves it backwards', () => {
    given(sending, sent, received('read', 'sent')).when(receipt('delivered')).thenNothing();
    given(sending, sent, received('read', 'sent')).when(receipt('read')).thenNothing();
  });
  it('that overtakes the acknowledgement proves that the message was sent', () => {
    given(sending).when(receipt('delivered')).thenRefused('CONFLICT');
    given(sending).when(receipt('delivered', true)).then(sent, received('delivered', 'sent'));
    given(sending, lost).when(receipt('read', true)).then(sentFrom('unknown', uncertain), received('read', 'sent'));
    given(sending, sent, received('delivered', 'sent')).when(confirm).thenNothing();
  });
});
