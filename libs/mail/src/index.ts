export { mailServer } from './mail-server.ts';
export type { Mail, MailServer, MailServerAt } from './mail-server.ts';
