import type { Person } from '../people/person.ts';
import type { Group } from './group.ts';

/** All groups of the network. */
export class Groups {
  private readonly byId = new Map<string, Group>();

  add(group: Group): void {
    this.byId.set(group.id, group);
  }

  find(id: string | undefined): Group | undefined {
    return this.byId.get(id ?? '');
  }

  of(person: Person): Group[] {
    return this.where((group) => group.members.has(person));
  }

  /** The group that a code leads to, or led to before it was revoked. */
  byCode(code: string): Group | undefined {
    return this.where((group) => group.inviteCode === code || group.wasRevoked(code))[0];
  }

  private where(holds: (group: Group) => boolean): Group[] {
    return [...this.byId.values()].filter(holds);
  }
}
