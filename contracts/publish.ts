import { mkdirSync, writeFileSync } from 'node:fs';
import { events } from './src/index.ts';
import { published, publishedFile, publishedText } from './generation/published.ts';

// Freezes event versions that were not published yet. A published one is never written again: a change is a new version.
const folder = new URL('./published/', import.meta.url);
mkdirSync(folder, { recursive: true });
const known = published();
for (const event of events.filter((candidate) => !known.has(publishedFile(candidate)))) {
  writeFileSync(new URL(publishedFile(event), folder), publishedText(event));
}
