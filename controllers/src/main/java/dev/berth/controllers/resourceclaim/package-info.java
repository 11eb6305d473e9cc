/** Makes the claims on devices that pods ask for by templates, and gives back what nobody uses. */
@NullMarked
package dev.berth.controllers.resourceclaim;

import org.jspecify.annotations.NullMarked;
