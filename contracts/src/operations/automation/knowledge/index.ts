export { IngestKnowledgeText, knowledgeTextLimit } from './ingest.ts';
export * from './reading.ts';
export { KnowledgeDocument } from './shapes.ts';
