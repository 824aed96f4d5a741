/** A person whose data were erased. Ids only, so that the log itself tells nothing of the person. */
export interface LoggedErasure {
  readonly userId: string;
  readonly organizationId: string;
  /** The organization went along with its only member. */
  readonly wholeOrganization: boolean;
  /** Users who owned the organization afterwards. Absent: nobody does, or it was not kept yet. */
  readonly owners?: readonly string[];
  /** ISO 8601. */
  readonly at: string;
}

/** Erasures, kept outside of the database: a restore of an older backup repeats them. */
export interface ErasureLog {
  /** Adds an erasure, which is kept when this returns. Once more is no harm. @throws Unavailable */
  add(erasure: LoggedErasure): Promise<void>;
  /** One for each user, oldest first. */
  read(): Promise<LoggedErasure[]>;
  close(): Promise<void>;
}

/** The first of each user, oldest first. */
export function firstOfEach(erasures: readonly LoggedErasure[]): LoggedErasure[] {
  const latestFirst = erasures.toSorted((one, other) => other.at.localeCompare(one.at));
  const ofUsers = new Map(latestFirst.map((erasure) => [erasure.userId, erasure]));
  return [...ofUsers.values()].toSorted((one, other) => one.at.localeCompare(other.at));
}
