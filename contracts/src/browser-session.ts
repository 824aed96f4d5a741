/**
 * Asks for the session to be kept in cookies, and lets them count for writes. Its value is `1`. Pages of other origins cannot
 * send it unless `CORS_ORIGINS` names them: browsers ask first for headers that are not of every request.
 */
export const sessionHeader = 'X-Admin-Session';

/** Cookies of a browser's session; over TLS with `__Host-` before them, so that no other host can set them. */
export const sessionCookies = { access: 'gateway_access', refresh: 'gateway_refresh' } as const;
