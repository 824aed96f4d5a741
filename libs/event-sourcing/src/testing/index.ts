export { counter } from './counter.ts';
export { totalsView, viewTables } from './totals-view.ts';
export { metadata, openReplica, quietPool, triedJournal, type Replica, type TriedJournal } from './tried-journal.ts';
