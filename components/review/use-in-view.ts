'use client';

import { type RefObject, useEffect, useRef, useState } from 'react';

/** True from the moment on when an element is nearly in view. */
export function useInView<T extends Element>(): readonly [ref: RefObject<T | null>, isSeen: boolean] {
  const ref = useRef<T>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null || isSeen) return;
    const observer = new IntersectionObserver((entries) => setSeen(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: '400px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isSeen]);
  return [ref, isSeen];
}
