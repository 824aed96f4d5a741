export { IngestKnowledgeText, knowledgeTextLimit } from './ingest.ts';
export { IngestKnowledgeFile, IngestKnowledgeUrl, knowledgeFileLimit } from './ingest-file.ts';
export * from './reading.ts';
export { KnowledgeDocument } from './shapes.ts';
