import { fileURLToPath } from 'node:url';
import { adminPages } from '@messaging-gateway/admin-pages';
import type { GatewaySettings } from './config.ts';

const folder = fileURLToPath(new URL('../../admin/dist', import.meta.url));

/** The web UI, as the set-up of the project or the image has built it; undefined where it has not. */
export const builtPages = ({ adminApiUrl: apiUrl }: GatewaySettings) => adminPages({ folder, apiUrl });
