import { useAsk } from '../../api/asking.ts';
import { useMay } from '../../session/me.tsx';

/** Whether there is a provider to ask changes with the settings only. Milliseconds. */
const rarelyMs = 600_000;
/** Whether who is signed in can ask AI here. */
export function useAi(): boolean {
  const may = useMay();
  const when = may('automation:read') && may('message:send');
  return useAsk('GetAiStatus', {}, { when, staleTime: rarelyMs }).data?.configured === true;
}
