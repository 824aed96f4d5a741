import type { BinaryNode } from '@whiskeysockets/baileys';
import { node } from '../connection/nodes.ts';
import type { Envelope } from '../people/outbox.ts';
import { Refusal } from './refusal.ts';

/** A binary node as the control API takes it: `content` is a list of nodes, a text, or bytes as `{ base64 }`. */
export type StanzaNode = {
  tag: string;
  attrs?: Record<string, string>;
  content?: StanzaNode[] | string | { base64: string };
};

/** @throws Refusal if the value is not a node that the network's encoding can carry */
export function stanzaFrom(value: unknown): BinaryNode {
  if (!isObject(value) || typeof value['tag'] !== 'string' || value['tag'] === '')
    throw new Refusal('NODE_INVALID', 'A node is { tag, attrs?, content? }; tag is a text that is not empty.');
  const { tag, attrs = {}, content } = value;
  if (!isObject(attrs) || !hasTexts(attrs))
    throw new Refusal('NODE_INVALID', `The attributes of <${tag}> must be an object of texts.`);
  return node(tag, attrs, contentFrom(tag, content));
}

/** @throws Refusal if the value is not a list of nodes */
export function stanzasFrom(value: unknown): BinaryNode[] | undefined {
  if (value === undefined || Array.isArray(value)) return value?.map(stanzaFrom);
  throw new Refusal('INSTEAD_INVALID', '`instead` must be a list of nodes, which may be empty.');
}

/** @throws Refusal if the value is not an object of texts and nulls */
export function envelopeFrom(value: unknown): Envelope | undefined {
  if (value === undefined || (isObject(value) && isEnvelope(value))) return value;
  throw new Refusal('ENVELOPE_INVALID', '`envelope` must be an object whose values are texts, or null to remove one.');
}

function contentFrom(tag: string, content: unknown): BinaryNode['content'] {
  if (content === undefined || typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(stanzaFrom);
  if (isObject(content) && typeof content['base64'] === 'string') return Buffer.from(content['base64'], 'base64');
  throw new Refusal('NODE_INVALID', `The content of <${tag}> must be a list of nodes, a text or { base64 }.`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasTexts(value: Record<string, unknown>): value is Record<string, string> {
  return Object.values(value).every((one) => typeof one === 'string');
}

function isEnvelope(value: Record<string, unknown>): value is Envelope {
  return Object.values(value).every((one) => one === null || typeof one === 'string');
}
