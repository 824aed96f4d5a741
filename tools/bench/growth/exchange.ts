import { eventually } from '@messaging-gateway/testing';
import type { Installation } from '../installation.ts';
import type { Owner, Sender } from '../load.ts';
import type { SimulatorProcess } from '../simulator-process.ts';

/** A real exchange of two messages: the pattern of all that are stored beside it. */
export interface Exchange {
  readonly profileId: string;
  /** Digits. */
  readonly phone: string;
  readonly contact: string;
  readonly sent: Exchanged;
  readonly received: Exchanged;
}

interface Exchanged {
  readonly id: string;
  readonly networkMessageId: string;
  readonly text: string;
}

interface Listed {
  readonly id: string;
  readonly networkMessageId: string;
  readonly direction: string;
  readonly status: string;
}

const sentText = 'A message that many others are made of';
const receivedText = 'An answer that many others are made of';

/** Sends a text to somebody new, who reads it and answers: all of it through the gateway, as users do. */
export async function exchange(
  installation: Installation,
  network: SimulatorProcess,
  { token }: Owner,
  { profileId, phone }: Sender,
): Promise<Exchange> {
  const contact = '4924000000000';
  const call = <Body>(method: string, path: string, body?: unknown) =>
    installation.call<Body>(method, path, body, { credential: token });
  const sent = await call<{ data: { messageId: string; networkMessageId: string } }>('POST', '/messages/text', {
    profileId,
    to: contact,
    text: sentText,
  });
  const { messageId, networkMessageId } = sent.body.data;
  const statusIs = (...wanted: string[]) =>
    eventually(async () => {
      const { body } = await call<{ status: string }>('GET', `/messages/${messageId}`);
      return wanted.includes(body.status) ? true : undefined;
    });
  await statusIs('delivered', 'read');
  await network.control.read(contact);
  await statusIs('read');
  await network.control.sendFromContact(contact, { to: phone, text: receivedText });
  const answer = await eventually(async () => {
    const { body } = await call<{ items: Listed[] }>('GET', `/messages/profile/${profileId}?limit=5`);
    return body.items.find(({ direction }) => direction === 'incoming');
  });
  return {
    profileId,
    phone,
    contact,
    sent: { id: messageId, networkMessageId, text: sentText },
    received: { id: answer.id, networkMessageId: answer.networkMessageId, text: receivedText },
  };
}
