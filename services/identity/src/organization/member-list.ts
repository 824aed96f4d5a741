import type { ListMembers, Member, Page } from '@messaging-gateway/contracts';
import { Refused } from '@messaging-gateway/messaging';
import { decodeCursor, pageOf, type CursorPlace, type InputOf } from '@messaging-gateway/service';
import type { InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Static } from 'typebox';
import { madeRoles, membershipOf } from './membership.ts';
import { MemberRow } from './members-view.ts';

export type ShownMember = Static<typeof Member>;

type MemberRecord = InferEntity<typeof MemberRow>;

/** With what is known of the person, in one question. */
const withUser = { populate: ['user'], strategy: 'joined' } as const;

async function showing(
  em: EntityManager,
  members: readonly MemberRecord[],
): Promise<(member: MemberRecord) => ShownMember> {
  const made = await madeRoles(em, members);
  return ({ user: { id, email, name, mustChangePassword }, roleId, joinedAt }) => {
    const { role } = membershipOf(roleId, made.get(roleId));
    return { id, email, name, role, roleId, mustChangePassword, joinedAt: joinedAt.toISOString() };
  };
}

/** @throws Refused NOT_FOUND, also for a member of another organization */
export async function readMember(em: EntityManager, userId: string): Promise<ShownMember> {
  const member = await em.findOne(MemberRow, { user: userId }, withUser);
  if (member === null) throw new Refused('NOT_FOUND', 'There is no such member.');
  return (await showing(em, [member]))(member);
}

/** Members of the organization, those who came first at the top. */
export async function listMembers({ query, context }: InputOf<typeof ListMembers>): Promise<Page<ShownMember>> {
  const { limit = 50, cursor } = query;
  const place = decodeCursor(cursor, ['time', 'id']);
  const em = context.em();
  const [rows, total] = await Promise.all([
    em.find(MemberRow, place === undefined ? {} : later(place), {
      ...withUser,
      orderBy: { joinedAt: 'asc', user: 'asc' },
      limit: limit + 1,
    }),
    em.count(MemberRow),
  ]);
  const show = await showing(em, rows);
  return { ...pageOf(rows, limit, ({ joinedAt, user }) => [joinedAt.toISOString(), user.id], show), total };
}

function later([time, id]: CursorPlace) {
  const joinedAt = new Date(String(time));
  return { joinedAt: { $gte: joinedAt }, $or: [{ joinedAt: { $gt: joinedAt } }, { user: { $gt: String(id) } }] };
}
