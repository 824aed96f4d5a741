import { jidDecode, type AuthenticationCreds } from '@whiskeysockets/baileys';
import type { Change } from '../../../session-data/session-data-store.ts';
import type { Fact } from '../../engine.ts';
import type { SignalState } from '../signal/signal-state.ts';

/** Marks the key that we write to the group with as spent when somebody who has it has gone. @returns changes that make the mark last */
export function senderKeyChanges(group: string, facts: readonly Fact[], state: SignalState): readonly Change[] {
  const isLess = facts.some((fact) => fact.kind === 'participants' && ['remove', 'leave'].includes(fact.data.action));
  return isLess ? state.changes({ 'spent-sender-keys': { [group]: true } }) : [];
}

/**
 * Before a message to a group: when somebody has gone since the last one, it is written with a new key, which everybody
 * who is still there is told with it. The client library goes on with the old one.
 *
 * @see docs/decisions/0381-known-groups.md
 */
export async function renewSenderKey(group: string, state: SignalState, me: AuthenticationCreds['me']): Promise<void> {
  const { [group]: isSpent } = await state.get<true>('spent-sender-keys', [group]);
  if (isSpent !== true) return;
  const own = [me?.id, me?.lid].flatMap((jid) => (jid === undefined ? [] : [`${group}::${senderOf(jid)}`]));
  await state.exclusively(() =>
    state.set({
      'sender-key': Object.fromEntries(own.map((name) => [name, null])),
      'sender-key-memory': { [group]: null },
      'spent-sender-keys': { [group]: null },
    }),
  );
}

/** A device as the library names it in keys. */
function senderOf(jid: string): string {
  const { user = '', device = 0, domainType = 0 } = jidDecode(jid) ?? {};
  return `${domainType === 0 ? user : `${user}_${domainType}`}::${device}`;
}
