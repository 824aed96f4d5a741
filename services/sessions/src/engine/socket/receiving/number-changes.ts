import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from '@whiskeysockets/baileys';
import type { Change } from '../../../session-data/session-data-store.ts';
import type { Fact } from '../../engine.ts';
import type { SignalState } from '../signal/signal-state.ts';
import { person, type NetworkAddress } from '../wire-format/addresses.ts';
import { timestampOf } from '../wire-format/message-names.ts';
import type { Receiver } from './incoming-facts.ts';

type NumberChange = Extract<Fact, { kind: 'number-changed' }>;

/**
 * The facts of a notification that says that somebody has another phone number: of type `contacts` about a person, of type `w:gp2`
 * about a member of a group.
 */
export async function numberFacts(
  stanza: BinaryNode,
  { state, data: { profileId } }: Receiver,
): Promise<NumberChange[]> {
  const change = getBinaryNodeChild(stanza, 'modify');
  if (change === undefined) return [];
  const at = timestampOf(stanza.attrs['t']);
  const pairs =
    stanza.attrs['type'] === 'contacts' ? [await ofPerson(change, state)] : await ofMember(stanza, change, state);
  return pairs.flatMap(([before, after]): NumberChange[] => {
    const [previousPhone, phone, lid] = [before?.phone, after?.phone, after?.lid ?? before?.lid];
    if (previousPhone === undefined || phone === undefined || previousPhone === phone) return [];
    return [
      { kind: 'number-changed', data: { profileId, previousPhone, phone, ...(lid !== undefined && { lid }), at } },
    ];
  });
}

type Pair = readonly [before: NetworkAddress | undefined, after: NetworkAddress | undefined];

async function ofPerson({ attrs }: BinaryNode, state: SignalState): Promise<Pair> {
  const { old = '', new: next = '', old_lid: oldLid, new_lid: nextLid } = attrs;
  return [await person(old, oldLid, state), await person(next, nextLid ?? oldLid, state)];
}

/** The notification names the new number as its participant, and the number before in the change. */
async function ofMember({ attrs }: BinaryNode, change: BinaryNode, state: SignalState): Promise<Pair[]> {
  const { participant = '', participant_pn: phone, participant_lid: lid } = attrs;
  const after = await person(participant, phone ?? lid, state);
  const members = getBinaryNodeChildren(change, 'participant');
  return Promise.all(
    members.map(async ({ attrs: { jid = '', phone_number: number, lid: memberLid } }): Promise<Pair> => [
      await person(jid, number ?? memberLid, state),
      after,
    ]),
  );
}

/** Changes of the session data after which the LID of somebody leads to the new number, and the number before to nobody. */
export const mappingChanges = (facts: readonly NumberChange[], state: SignalState): readonly Change[] =>
  facts.flatMap(({ data: { previousPhone, phone, lid } }) => {
    const user = lid?.slice(0, lid.indexOf('@'));
    const known = user === undefined ? {} : { [phone]: user, [`${user}_reverse`]: phone };
    return state.changes({ 'lid-mapping': { [previousPhone]: null, ...known } });
  });
