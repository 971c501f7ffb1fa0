/** Returns a cookie with a copy of the choice, because signing out clears the storage of the browser and no cookies. */
export function themeCookie(choice: string): string {
  return `callboard_theme=${choice}${cookieScope}`;
}

const cookieScope = '; path=/; max-age=31536000; samesite=lax';

/** Runs in the head, before anything is painted, because a page must not flash white for someone who chose dark. */
export const themeScript = `try{var t=localStorage.getItem('callboard.theme')
if(t)document.cookie='callboard_theme='+t+'${cookieScope}'
else if(t=(document.cookie.match(/(?:^|; )callboard_theme=(light|dark)(?:;|$)/)||[])[1])localStorage.setItem('callboard.theme',t)}catch(e){}
document.documentElement.dataset.theme=t==='light'||t==='dark'?t:matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light'`;
