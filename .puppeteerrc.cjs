// Older npm versions run puppeteer's install script, which downloads a browser: Platen finds one itself (`platen doctor`).
module.exports = { skipDownload: true };
