import compression from 'compression';
import type { RequestHandler } from 'express';

/** Smaller ones fit into a packet or two as they are, bytes. */
const threshold = 2048;

/**
 * Compresses answers for clients that take that. Only where nothing that an outsider wrote stands beside something that is
 * to be kept from outsiders: the size of a compressed answer tells how much of one occurs in the other
 * (`docs/decisions/0701-what-is-compressed.md`).
 */
export const compressing = (): RequestHandler => compression({ threshold });
