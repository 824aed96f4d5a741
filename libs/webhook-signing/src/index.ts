export { isSecret, signatureHeaders, type Secrets } from './signature.ts';
