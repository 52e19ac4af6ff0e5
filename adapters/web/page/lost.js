// Stands in for an address at which there is nothing, and leads on.

import { translatePage } from "./texts.js";

translatePage();
