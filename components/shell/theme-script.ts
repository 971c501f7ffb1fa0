/** Runs in the head, before anything is painted, because a page must not flash white for someone who chose dark. */
export const themeScript = `try{var t=localStorage.getItem('callboard.theme')}catch(e){}
document.documentElement.dataset.theme=t==='light'||t==='dark'?t:matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light'`;
