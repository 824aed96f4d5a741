import {
  getBinaryNodeChild,
  getBinaryNodeChildString,
  getBinaryNodeChildren,
  jidDecode,
  WAMessageAddressingMode,
  type BinaryNode,
  type GroupMetadata,
} from '@whiskeysockets/baileys';
import type { EngineGroup } from '../../engine.ts';
import { isSelf, type Self } from '../wire-format/addresses.ts';

/** A member as the network names it: by LID or by phone, and often by both. Users of addresses, without servers. */
interface KnownMember {
  /** Full address under which the group has the member. */
  readonly address: string;
  readonly phone?: string;
  readonly lid?: string;
  readonly rank?: 'admin' | 'superadmin';
}

/** A group as it is remembered. */
export interface KnownGroup {
  readonly id: string;
  readonly name: string;
  /** Since when it has its name, seconds since 1970. */
  readonly namedAt: number;
  readonly description?: string;
  readonly descriptionId?: string;
  readonly owner?: string;
  /** Seconds since 1970. */
  readonly createdAt: number;
  readonly goesByLid: boolean;
  readonly disappearAfter?: number;
  readonly members: readonly KnownMember[];
}

const userOf = (jid: string | undefined): string | undefined => (jid === undefined ? undefined : jidDecode(jid)?.user);
const isLid = (jid: string): boolean => jid.endsWith('@lid');
const seconds = (text: string | undefined): number => Number(text ?? 0) || 0;

/** The member that a `participant` node means. */
function memberOf({ attrs }: BinaryNode): KnownMember {
  const address = attrs['jid'] ?? '';
  const phone = userOf(isLid(address) ? attrs['phone_number'] : address);
  const lid = userOf(isLid(address) ? address : attrs['lid']);
  const rank = attrs['type'];
  return {
    address,
    ...(phone !== undefined && { phone }),
    ...(lid !== undefined && { lid }),
    ...((rank === 'admin' || rank === 'superadmin') && { rank }),
  };
}

const fullId = (id: string): string => (id.includes('@') ? id : `${id}@g.us`);

/** A `group` node. Participants with an error were refused and are no members. */
export function groupOf(group: BinaryNode): KnownGroup {
  const { attrs } = group;
  const told = getBinaryNodeChild(group, 'description');
  const description = told && getBinaryNodeChildString(told, 'body');
  const descriptionId = told?.attrs['id'];
  const owner = attrs['creator_pn'] ?? attrs['creator'];
  const ephemeral = getBinaryNodeChild(group, 'ephemeral')?.attrs['expiration'];
  return {
    id: fullId(attrs['id'] ?? ''),
    name: attrs['subject'] ?? '',
    namedAt: seconds(attrs['s_t']),
    ...(description !== undefined && { description }),
    ...(descriptionId !== undefined && { descriptionId }),
    ...(owner !== undefined && { owner }),
    createdAt: seconds(attrs['creation']),
    goesByLid: attrs['addressing_mode'] === 'lid',
    ...(ephemeral !== undefined && { disappearAfter: Number(ephemeral) }),
    members: getBinaryNodeChildren(group, 'participant')
      .filter((node) => node.attrs['error'] === undefined)
      .map(memberOf),
  };
}

const jidOf = ({ phone, lid }: Pick<KnownMember, 'phone' | 'lid'>): string =>
  phone === undefined ? `${lid}@lid` : `${phone}@c.us`;

/** As the port shows it. */
export function shownGroup({ id, name, description, owner, createdAt, members }: KnownGroup, self: Self): EngineGroup {
  const ofOwner = members.find(({ address, phone, lid }) =>
    [address, `${phone}@s.whatsapp.net`, `${lid}@lid`].includes(owner ?? ''),
  );
  return {
    id,
    name,
    description,
    owner: ofOwner === undefined ? owner?.replace(/@s\.whatsapp\.net$/, '@c.us') : jidOf(ofOwner),
    isOwn: isSelf(owner, self),
    createdAt: createdAt * 1000,
    members: members.map((member) => ({
      jid: jidOf(member),
      phone: member.phone,
      lid: member.lid === undefined ? undefined : `${member.lid}@lid`,
      isAdmin: member.rank !== undefined,
      isSuperAdmin: member.rank === 'superadmin',
    })),
  };
}

/** The metadata of a group that the client library needs to send to it. */
export function libraryMetadata({ id, name, owner, goesByLid, disappearAfter, members }: KnownGroup): GroupMetadata {
  return {
    id,
    subject: name,
    owner,
    addressingMode: goesByLid ? WAMessageAddressingMode.LID : WAMessageAddressingMode.PN,
    participants: members.map(({ address, phone, rank }) => ({
      id: address,
      ...(isLid(address) && phone !== undefined && { phoneNumber: `${phone}@s.whatsapp.net` }),
      admin: rank ?? null,
    })),
    ...(disappearAfter !== undefined && { ephemeralDuration: disappearAfter }),
  };
}
