import { useEffect, useEffectEvent } from 'react';

/** Reads the next page each time that somebody comes near the end of what there is. @param seen again where it changes meanwhile */
export function useLoadMore(isNearEnd: boolean, loadMore: () => void, seen = 0): void {
  const load = useEffectEvent(loadMore);
  useEffect(() => {
    if (isNearEnd) load();
  }, [isNearEnd, seen]);
}
