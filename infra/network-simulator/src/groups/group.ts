import { randomBytes, randomInt } from 'node:crypto';
import type { Person } from '../people/person.ts';

export type Rank = 'superadmin' | 'admin' | 'member';
/** A text with its author and time, in seconds since 1970. */
type Said = { text: string; by: Person; at: string };

const INVITE_BYTES = 16;
const GROUP_ID_RANGE = 281_474_976_710_655;

/** A chat of several people. Its creator is an administrator whom nobody can demote or remove. */
export class Group {
  /** Ends in @g.us. */
  readonly id = `120363${String(randomInt(GROUP_ID_RANGE)).padStart(15, '0')}@g.us`;
  readonly creator: Person;
  readonly createdAt: string;
  readonly members = new Map<Person, Rank>();
  /** Codes of the people who were asked personally, because they let nobody add them. */
  readonly invitations = new Map<Person, string>();
  subject: Said;
  description: (Said & { id: string }) | undefined;
  inviteCode = newCode();
  /** Seconds after which messages disappear; 0: never. */
  disappearAfter = 0;
  private readonly revoked = new Set<string>();

  constructor(creator: Person, subject: string, at: string) {
    this.creator = creator;
    this.createdAt = at;
    this.subject = { text: subject, by: creator, at };
    this.members.set(creator, 'superadmin');
  }

  isAdministrator(person: Person): boolean {
    return (this.members.get(person) ?? 'member') !== 'member';
  }

  /** @returns the code that keeps this person's place */
  invite(person: Person): string {
    const code = this.invitations.get(person) ?? newCode();
    this.invitations.set(person, code);
    return code;
  }

  /** From now on only a new code leads in. */
  revokeInvite(): void {
    this.revoked.add(this.inviteCode);
    this.inviteCode = newCode();
  }

  wasRevoked(code: string): boolean {
    return this.revoked.has(code);
  }
}

function newCode(): string {
  return randomBytes(INVITE_BYTES).toString('base64url');
}
