/** Counts since the start or the last reset. */
export type Counts = {
  /** Message stanzas that arrived from clients, repeats and refused ones included. */
  stanzas: number;
  /** Messages from clients that a contact has shown, each once. */
  shown: number;
  /** Stanzas whose id the network had already taken from this sender. */
  duplicatesDropped: number;
  /** Stanzas refused with an error. */
  refused: number;
  /** Messages that a contact could not read or pretended not to, and asked for again. */
  retriesAsked: number;
  /** Messages written by contacts that a linked device asked for again. */
  retriesAnswered: number;
  /** Delivery receipts of linked devices for messages written by contacts. */
  received: number;
};

export type NetworkCounts = {
  /** Connections open now. */
  connections: number;
  connectionsOpened: number;
  connectionsRefused: number;
  connectionsDropped: number;
  logins: number;
  loginsRefused: number;
  linked: number;
  /** Questions whether numbers are on the network, and the numbers in them. */
  numberQuestions: number;
  numbersAsked: number;
  /** Messages that a linked device requested from its own phone, because they came without content. */
  resendsAsked: number;
  /** Queries for the state of accounts. */
  appStateQueries: number;
  /** Files that stood still half-way, because the network was told so. */
  transfersStalled: number;
};

export type StatisticsSnapshot = Counts & NetworkCounts & { contacts: Record<string, Counts> };

const NO_COUNTS: Counts = {
  stanzas: 0,
  shown: 0,
  duplicatesDropped: 0,
  refused: 0,
  retriesAsked: 0,
  retriesAnswered: 0,
  received: 0,
};
const NO_NETWORK_COUNTS: NetworkCounts = {
  connections: 0,
  connectionsOpened: 0,
  connectionsRefused: 0,
  connectionsDropped: 0,
  logins: 0,
  loginsRefused: 0,
  linked: 0,
  numberQuestions: 0,
  numbersAsked: 0,
  resendsAsked: 0,
  appStateQueries: 0,
  transfersStalled: 0,
};

/** Counts what happens on the network, in total and per contact. */
export class Statistics {
  readonly network: NetworkCounts = { ...NO_NETWORK_COUNTS };
  private readonly total: Counts = { ...NO_COUNTS };
  private readonly contacts = new Map<string, Counts>();

  get stanzas(): number {
    return this.total.stanzas;
  }

  /** @param contact phone number of whom it happened with, where there is one */
  count(what: keyof Counts, contact: string | undefined, times = 1): void {
    this.total[what] += times;
    if (contact === undefined) return;
    let counts = this.contacts.get(contact);
    if (counts === undefined) this.contacts.set(contact, (counts = { ...NO_COUNTS }));
    counts[what] += times;
  }

  snapshot(): StatisticsSnapshot {
    const contacts = Object.fromEntries([...this.contacts].map(([phone, counts]) => [phone, { ...counts }]));
    return { ...this.total, ...this.network, contacts };
  }

  reset(): void {
    Object.assign(this.total, NO_COUNTS);
    const { connections } = this.network;
    Object.assign(this.network, NO_NETWORK_COUNTS, { connections });
    this.contacts.clear();
  }
}
