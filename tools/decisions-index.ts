// `npm run docs:generate`: writes docs/decisions/README.md from the heads of the records. A test compares it.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../docs/decisions/', import.meta.url);
/** Subjects of records, in the order of the index. */
const subjects = [
  'Journal and appends',
  'Views, paging and partitions',
  'Operations between services',
  'Events and Kafka',
  'Replicas and leases',
  'Sessions and engines',
  'Sending',
  'Automation and AI',
  'Receiving, conversations and contacts',
  'Groups',
  'Media',
  'Webhooks and the log of events',
  'Gateway',
  'Identity and access',
  'Admin web UI',
  'Personal data and audit',
  'Running and operating',
  'Contracts, migrations and releases',
  'Tests, documents and tools',
];
const head =
  /^# (?<number>\d{4}): (?<title>.+)\n\nStatus: (?<status>accepted.*|superseded by .+)\nDate: (?<date>\d{4}-\d\d-\d\d)\nSubject: (?<subject>.+)\n/;

interface DecisionRecord {
  readonly file: string;
  readonly number: string;
  readonly title: string;
  readonly status: string;
  readonly date: string;
  readonly subject: string;
}

/** Reads the head of a record: `# NNNN: title`, then the lines `Status:`, `Date:` and `Subject:`. */
function recordIn(file: string): DecisionRecord {
  const { number, title, status, date, subject } = head.exec(readFileSync(new URL(file, folder), 'utf8'))?.groups ?? {};
  if (!number || !title || !status || !date || !subject || !file.startsWith(`${number}-`))
    throw new Error(`docs/decisions/${file} must begin with "# NNNN: title" and Status:, Date: and Subject: lines`);
  if (!subjects.includes(subject))
    throw new Error(`docs/decisions/${file}: "${subject}" is none of: ${subjects.join('; ')}`);
  return { file, number, title, status, date, subject };
}

const introduction = `# Decisions

Why things are as they are, by subject. Records are numbered and never renumbered; gaps are numbers that were not used, or records that moved
into a README. A record has a line each for status, date and subject, and about ten lines: situation, decision, consequences, and what was not
taken. This page is written from those lines by \`npm run docs:generate\`.
`;

/** The index of all records as Markdown: a section per subject, a line per record, in the order of their numbers. */
export function decisionsIndex(): string {
  const records = readdirSync(folder)
    .filter((file) => file !== 'README.md')
    .toSorted()
    .map(recordIn);
  const sections = subjects
    .map((subject) => ({ subject, of: records.filter((record) => record.subject === subject) }))
    .filter(({ of }) => of.length > 0)
    .map(({ subject, of }) => {
      const rows = of.map(
        ({ number, file, title, date, status }) => `- [${number}](${file}) ${title} (${date}, ${status})`,
      );
      return `## ${subject}\n\n${rows.join('\n')}\n`;
    });
  return [introduction, ...sections].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL('README.md', folder), decisionsIndex());
