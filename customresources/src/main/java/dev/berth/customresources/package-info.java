/** CustomResourceDefinitions and the resources that they define, while a server runs. */
@NullMarked
package dev.berth.customresources;

import org.jspecify.annotations.NullMarked;
