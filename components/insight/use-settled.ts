import { useEffect, useState } from 'react';
import type { Held } from '@/components/timeline/held';

const settleMs = 200;

/** Returns a held value once it has not changed for a while: a zoom changes a window in every frame. */
export function useSettled<Value>(held: Held<Value>): Value {
  const [value, setValue] = useState(() => held.get());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setValue(held.get()), settleMs);
    };
    settle();
    const leave = held.subscribe(settle);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [held]);
  return value;
}
