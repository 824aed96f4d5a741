// What it costs to look something up in the knowledge of one profile: 10,000 chunks, 100 questions, by words and by meaning.
// BENCH_CHUNKS (10000), BENCH_DIMENSIONS (768).
import { loadavg } from 'node:os';
import { measureKnowledge } from './measure.ts';

const chunks = Number(process.env['BENCH_CHUNKS'] ?? 10_000);
const dimensions = Number(process.env['BENCH_DIMENSIONS'] ?? 768);
const { words, hybrid, recall } = await measureKnowledge({ chunks, dimensions });
type Times = typeof words;
const shown = ({ p50, p99, least }: Times): string =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at least ${least.toFixed(1)} ms`;
console.log(`${chunks} chunks, ${dimensions} dimensions, load ${loadavg()[0]?.toFixed(1)}`);
console.log(
  `by words: ${shown(words)}\nby words and meaning: ${shown(hybrid)}\nrecall@10 of the exact order: ${recall.toFixed(3)}`,
);
