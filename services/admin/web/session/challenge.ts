const key = 'gateway.challenge';

/** Keeps what a right password got, for the page that asks for the code; it is no session and lasts five minutes. */
export const keepChallenge = (token: string): void => sessionStorage.setItem(key, token);

export const keptChallenge = (): string | undefined => sessionStorage.getItem(key) ?? undefined;

export const dropChallenge = (): void => sessionStorage.removeItem(key);
