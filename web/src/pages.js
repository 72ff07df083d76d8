// Starts the page that this is: all pages share this bundle, and the body says which one it is.
import { start as startCrowd } from "./crowd/main.js";
import { start as startReport } from "./main.js";
import { start as startModel } from "./spheres/main.js";

const PAGES = { crowd: startCrowd, model: startModel, report: startReport };

PAGES[document.body.dataset.page]();
