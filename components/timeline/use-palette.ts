'use client';

import { useEffect, useState } from 'react';
import { buildPalette, type Palette } from './palette';

/**
 * Returns the design tokens as the canvas needs them. They are read again when the theme changes; `undefined` on the
 * server.
 */
export function usePalette(): { readonly palette: Palette | undefined; readonly font: string } {
  const [state, setState] = useState<{ palette: Palette | undefined; font: string }>({
    palette: undefined,
    font: 'sans-serif',
  });
  useEffect(() => {
    const read = () => {
      const style = getComputedStyle(document.documentElement);
      setState({
        palette: buildPalette((token) => style.getPropertyValue(token)),
        font: getComputedStyle(document.body).fontFamily,
      });
    };
    read();
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] });
    return () => observer.disconnect();
  }, []);
  return state;
}
