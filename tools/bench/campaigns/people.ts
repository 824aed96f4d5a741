import type { Installation } from '../installation.ts';
import type { Sender } from '../load.ts';

/** A linked profile with contacts of its own, to each of whom it has written. */
export interface Audience {
  readonly sender: Sender;
  /** Numbers. */
  readonly people: readonly string[];
  /** Tag of all of them, and of nobody else. */
  readonly tag: string;
}

/** Gives each profile so many contacts. */
export async function audiencesOf(
  installation: Installation,
  senders: readonly Sender[],
  count: number,
): Promise<Audience[]> {
  const audiences: Audience[] = [];
  for (const [index, sender] of senders.entries()) {
    const tag = `audience ${index}`;
    const people = Array.from(
      { length: count },
      (_, number) => `4924${String(index * count + number).padStart(7, '0')}`,
    );
    const contacts = people.map((phone, number) => ({ phone, name: `Person ${number}`, tags: [tag] }));
    const { profileId, token } = sender;
    const body = { profileId, contacts };
    const answer = await installation.call('POST', '/contacts/import', body, { credential: token });
    if (answer.status !== 200) throw new Error(`The contacts were answered ${JSON.stringify(answer)}`);
    audiences.push({ sender, people, tag });
  }
  return audiences;
}
