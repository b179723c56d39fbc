/** This folder is the whole app, also inside a repository with a lock file of its own. */
const config = { turbopack: { root: import.meta.dirname } };
export default config;
